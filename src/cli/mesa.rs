//! A warning of Mesa's that no user can act upon.
#![expect(unsafe_code, reason = "the environment is changed before there are threads")]

/// Keeps Mesa from printing `XDG_RUNTIME_DIR is invalid` on stderr where that variable is unset
/// (in containers, under `sudo`), by pointing it at the directory for temporary files.
///
/// # Safety
/// The environment is changed: no other thread may run yet. Call it at the start of `main`.
pub unsafe fn quiet_mesa() {
    const VARIABLE: &str = "XDG_RUNTIME_DIR";
    if cfg!(target_os = "linux") && std::env::var_os(VARIABLE).is_none() {
        // SAFETY: the caller vouches that this is the only thread.
        unsafe { std::env::set_var(VARIABLE, std::env::temp_dir()) };
    }
}
