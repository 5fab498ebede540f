// A round of the searches of a range of slots: a kernel of the local search's own.

#choose search
