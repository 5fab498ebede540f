// The least word offered so far. It is the same in whatever order words come.

const NOTHING = 0xFFFFFFFFu;

var<workgroup> least: atomic<u32>;
