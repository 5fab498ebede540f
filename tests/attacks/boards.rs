//! Any bytes as boards: all ways to score agree, and only what the checker takes scores 0.

use arbitrary::{Result, Unstructured};
use evodoku::board::{BLANK, Geometry, Puzzle, verify};
use evodoku::fitness::{SimdLevel, UNWRITTEN, fitness};

pub fn attack(data: &[u8]) {
    let _ = scored(&mut Unstructured::new(data));
}

fn scored(bytes: &mut Unstructured<'_>) -> Result<()> {
    let geometry = geometry(bytes)?;
    let (cells, stride) = (geometry.cells(), geometry.stride());
    // More boards than a vector has lanes, so that there is a rest.
    let count = bytes.int_in_range(1..=70)?;
    let mut boards = vec![0; stride * count];
    for board in boards.chunks_exact_mut(stride) {
        bytes.fill_buffer(&mut board[..cells])?;
    }
    let scalar: Vec<u16> =
        boards.chunks_exact(stride).map(|board| fitness(geometry, board)).collect();
    for level in SimdLevel::available() {
        let mut scores = vec![UNWRITTEN; count];
        level.score(geometry, &boards, &mut scores);
        assert_eq!(scores, scalar, "{level:?} on boxes of {geometry}");
    }
    for (board, fitness) in boards.chunks_exact(stride).zip(&scalar) {
        assert!(*fitness <= geometry.worst_fitness());
        let checked = verify(&Puzzle::blank(geometry), &board[..cells]);
        assert_eq!(checked.is_ok(), *fitness == 0, "{checked:?}");
        // A board is a solution of itself as a puzzle, and of nothing else.
        let within = |value: &u8| usize::from(*value) <= geometry.side();
        if *fitness == 0 && board[..cells].iter().all(within) {
            let mut givens = board[..cells].to_vec();
            let puzzle =
                |givens: &[u8]| Puzzle { givens: givens.to_vec(), ..Puzzle::blank(geometry) };
            assert_eq!(verify(&puzzle(&givens), &board[..cells]), Ok(()));
            givens[0] = if givens[0] == 1 { 2 } else { 1 };
            assert!(verify(&puzzle(&givens), &board[..cells]).is_err());
            givens[0] = BLANK;
            assert_eq!(verify(&puzzle(&givens), &board[..cells]), Ok(()));
        }
    }
    Ok(())
}

/// Any shape, small ones as often as large ones.
pub fn geometry(bytes: &mut Unstructured<'_>) -> Result<Geometry> {
    let shapes: Vec<Geometry> = [4, 6, 8, 9, 10, 12, 15, 16, 24, 25, 32, 36, 49, 60, 64]
        .into_iter()
        .flat_map(Geometry::of_side)
        .collect();
    Ok(*bytes.choose(&shapes)?)
}
