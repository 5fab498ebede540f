// The number of a thread in its workgroup.

var<private> lane: u32;
