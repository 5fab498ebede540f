//! Operators that WGSL's grammar does not let stand side by side without parentheses.
//!
//! `a | b >> 2u` is no WGSL: operands of shifts and of `&`, `|` and `^` are single values or stand
//! in parentheses. The parser that the program uses takes it, those of browsers do not.

const OPERATORS: [&str; 30] = [
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "&", "|", "^", "<",
];

/// Operators of one level of parentheses, from one separator to the next.
type Run = Vec<String>;

/// The first line whose operators need parentheses.
pub fn unclear(source: &str) -> Option<String> {
    // Templates are brackets too: what opens them follows a name without a blank.
    let mut levels: Vec<(char, Run)> = vec![('{', Run::new())];
    for line in source.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let mut rest = code;
        // Whether a value came last, so that `-` and `&` stand between two.
        let (mut has_value, mut touches_name) = (false, false);
        while let Some(next) = rest.chars().next() {
            let in_template = levels.last().is_some_and(|(open, _)| *open == '<');
            let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
            let mut taken = next.len_utf8();
            let mut value = false;
            let mut is_name = false;
            if next.is_alphanumeric() || next == '_' || next == '.' {
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
                taken = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                value = &rest[..taken] != "return";
                is_name = true;
            } else if next.is_whitespace() {
                value = has_value;
            } else if (next == '<' && touches_name) || "([{".contains(next) {
                levels.push((next, Run::new()));
            } else if (next == '>' && in_template) || ")]}".contains(next) {
                if levels.pop().is_some_and(|(_, run)| !is_clear(&run)) {
                    return Some(line.trim().to_owned());
                }
                value = next != '}';
            } else if ["++", "--"].iter().any(|step| rest.starts_with(step)) {
                (taken, value) = (2, true);
            } else if let Some(operator) = operator.or((next == '>').then_some(&">")) {
                taken = operator.len();
                let assigns =
                    operator.ends_with('=') && !["<=", ">=", "==", "!="].contains(operator);
                let run = &mut levels.last_mut()?.1;
                if assigns || *operator == "->" {
                    run.clear();
                } else if has_value {
                    run.push((*operator).to_owned());
                }
            } else if ",;:=@".contains(next) {
                let run = std::mem::take(&mut levels.last_mut()?.1);
                if !is_clear(&run) {
                    return Some(line.trim().to_owned());
                }
            }
            (has_value, touches_name) = (value, is_name);
            rest = &rest[taken..];
        }
    }
    None
}

/// Whether the operators of a run may stand side by side.
fn is_clear(run: &Run) -> bool {
    let is = |kinds: &'static [&str]| move |operator: &String| kinds.contains(&operator.as_str());
    let is_shift = is(&["<<", ">>"]);
    if run.iter().any(is(&["&", "|", "^"])) {
        return run.iter().all(|operator| *operator == run[0]);
    }
    if run.iter().any(is(&["&&"])) && run.iter().any(is(&["||"])) {
        return false;
    }
    let ends = is(&["&&", "||", "<", ">", "<=", ">=", "==", "!="]);
    run.split(ends).all(|part| part.len() == 1 || !part.iter().any(&is_shift))
}
