// Philox4x32-10: the four random words of `counter` under `key`. On the CPU: src/core/random/philox.rs
//
// Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

#choose philox
#choose product

fn philox(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
    var x = counter;
    var k = key;
#repeat round PHILOX_ROUNDS
    let p0 = multiply_wide(PHILOX_MULTIPLIER.x, x.x);
    let p1 = multiply_wide(PHILOX_MULTIPLIER.y, x.z);
    x = vec4<u32>(p1.x ^ x.y ^ k.x, p1.y, p0.x ^ x.w ^ k.y, p0.y);
    k += PHILOX_WEYL;
#end
    return x;
}
