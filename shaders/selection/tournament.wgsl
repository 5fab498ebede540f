// Tournaments among all. On the CPU: src/core/ga/selection/tournament.rs

#choose task
#choose parameters
#include "random/draws.wgsl"

// The most draws of a new member: of 256 individuals all draws miss the last with probability e^-256.
const MEMBER_DRAWS = 65536u;

var<private> members: array<u32, MEMBERS>;

fn is_member(individual: u32, count: u32) -> bool {
    for (var member = 0u; member < MEMBERS; member++) {
        if (member == count) {
            break;
        }
        if (members[member] == individual) {
            return true;
        }
    }
    return false;
}

fn winner() -> u32 {
    var best = 0u;
    for (var count = 0u; count < MEMBERS; count++) {
        var member = below(task.population);
        for (var again = 0u; again < MEMBER_DRAWS; again++) {
            if (!is_member(member, count)) {
                break;
            }
            member = below(task.population);
        }
        members[count] = member;
        if (count == 0u || old_fitness(member) < old_fitness(best)) {
            best = member;
        }
    }
    return best;
}

fn parents(slot: u32) -> vec2<u32> {
    draws(SELECT, slot);
    let first = winner();
    let second = winner();
    return vec2<u32>(first, second);
}
