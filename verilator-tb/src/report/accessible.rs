//! Pictures for those who do not see them: a title and a description that screen readers tell.

use maud::html;

/// An SVG element with a title and a description.
pub fn described(svg: &str, title: &str, description: &str) -> String {
    let (_, element) = svg.split_once("<svg").expect("an SVG element");
    let (attributes, rest) = element.split_once('>').expect("its end");
    let texts = html! { title { (title) } desc { (description) } };
    format!(
        "<svg{attributes} role=\"img\">{}{rest}",
        texts.into_string()
    )
}
