// A round of the searches of a range of slots: a kernel of the improvement's own.

#choose search
