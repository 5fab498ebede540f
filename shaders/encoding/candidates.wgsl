// Each free cell by itself. On the CPU: src/core/ga/encoding/candidates.rs

#choose task
#choose tables
#include "encoding/redraw.wgsl"

fn draw_board() {
    let blanks = table(FREE_COUNT);
    for (var blank = 0u; blank < CELLS; blank++) {
        if (blank >= blanks) {
            break;
        }
        redraw(table(FREE + blank));
    }
}
