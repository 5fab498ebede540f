//! Shaders put together from files: a line `// include NAME` stands for the text of that name.

/// The generator, for kernels that draw: a twin of `src/random/philox.rs`.
pub const PHILOX: (&str, &str) = ("philox.wgsl", include_str!("../../shaders/philox.wgsl"));

const MARK: &str = "// include ";

/// `source` with each line `// include NAME` replaced by the text that `parts` gives for `NAME`.
///
/// Parts include nothing themselves. A name that is not among the parts stays as a comment, and
/// the shader compiler then misses what it needs.
pub fn include(source: &str, parts: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(source.len());
    for line in source.lines() {
        let named = line.strip_prefix(MARK).map(str::trim);
        match parts.iter().find(|(name, _)| Some(*name) == named) {
            Some((_, part)) => text.push_str(part.trim_end()),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::include;

    #[test]
    fn a_line_gives_way_to_the_part_it_names() {
        let parts = [("a.wgsl", "first\nsecond\n")];
        assert_eq!(
            include("x\n// include a.wgsl\n// include b.wgsl\n", &parts),
            "x\nfirst\nsecond\n// include b.wgsl\n"
        );
    }
}
