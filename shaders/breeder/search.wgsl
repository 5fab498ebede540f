// A round of the searches of a range of slots: the kernel of the local search.

#choose search
