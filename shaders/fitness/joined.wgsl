// Four cells that begin `shift` bits into `low` and go on in the next word, `high`.

fn joined(low: u32, high: u32, shift: u32) -> u32 {
    return (low >> shift) | select(high << ((32u - shift) & 31u), 0u, shift == 0u);
}
