// The threads of a workgroup that breeds, a child each.

#choose task
#choose threads

// The number of a thread in its workgroup.
var<private> lane: u32;
// The number of the workgroup's first child among those of the dispatch, and how many children it has.
var<private> first_child: u32;
var<private> group_children: u32;

fn take_children(group: vec3<u32>, workgroups: vec3<u32>, local: u32) {
    take_task(group.z);
    lane = local;
    // More workgroups than fit one dimension continue in the second.
    first_child = (group.x + group.y * workgroups.x) * WORKGROUP;
    group_children = min(max(task.count, first_child) - first_child, WORKGROUP);
}

// Whether the thread has a child.
fn has_child() -> bool {
    return lane < group_children;
}

// The slot of the thread's child.
fn child_slot() -> u32 {
    return task.first + first_child + lane;
}
