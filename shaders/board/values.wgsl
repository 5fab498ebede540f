// Values out of sets. On the CPU: src/core/board/matching.rs

#choose shape
#choose sets

// The value at place `k`, from 0, of a set that has more than `k`.
fn value_at(values: Set, k: u32) -> u32 {
    var left = values;
    for (var gone = 0u; gone < SIDE; gone++) {
        if (gone == k) {
            break;
        }
        left = without_first(left);
    }
    return first_value(left);
}
