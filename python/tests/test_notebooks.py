"""The notebooks run without errors, at reduced size."""


import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
NEEDS = {
    "experiments": ["pandas", "scipy", "matplotlib"],
    "five_documents": ["pandas", "matplotlib"],
    "other_libraries": ["pandas", "deap", "pymoo", "pygad"],
    "own_crossover": ["pandas", "scipy"],
    "population_scaling": ["pandas", "matplotlib"],
}
FOLDER = ROOT / "examples" / "python"


def test_every_notebook_is_tested():
    assert sorted(NEEDS) == sorted(path.stem for path in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("name", NEEDS)
def test_a_notebook_runs(name, monkeypatch):
    for needed in NEEDS[name]:
        pytest.importorskip(needed)
    monkeypatch.setenv("EVODOKU_QUICK", "1")
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    kept = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert any(kept), "its results are kept"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
