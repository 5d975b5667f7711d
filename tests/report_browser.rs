//! The page of `fantree report` in a browser.

mod reported;

use std::path::Path;
use std::process;

use reported::everything;

/// A script that the test adds to the page: it leaves what the browser made of it in the page's title.
const PROBE: &str = "<script>addEventListener('load', () => {
  document.querySelectorAll('details').forEach(it => it.open = true);
  const root = document.documentElement, out = [];
  if (root.scrollWidth > innerWidth) out.push('the page is ' + root.scrollWidth + ' wide');
  document.querySelectorAll('body *').forEach(it => {
    const box = it.getBoundingClientRect();
    if (!it.closest('.wide, pre, svg') && box.right > innerWidth + 1) out.push(it.tagName + ' ends at ' + box.right);
  });
  document.querySelectorAll('svg text').forEach(it => {
    const height = it.getBoundingClientRect().height;
    if (height && height < 11) out.push('text of ' + height + ' pixels: ' + it.textContent);
  });
  document.querySelectorAll('svg').forEach(svg => {
    const frame = svg.getBoundingClientRect();
    svg.querySelectorAll('text').forEach(it => {
      const box = it.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1) out.push('cut off: ' + it.textContent);
    });
  });
  const loaded = performance.getEntriesByType('resource').map(it => it.name);
  document.title = JSON.stringify({width: innerWidth, out, loaded});
});</script>";

/// What the probe finds in a window of a width. The window of a headless browser is never narrower than 500 pixels, so the
/// page is in a frame.
fn probed(folder: &Path, html: &str, width: usize) -> String {
    let page = folder.join("probed.html");
    std::fs::write(&page, html.replace("</head>", &format!("{PROBE}</head>"))).unwrap();
    let frame = folder.join("frame.html");
    let text = format!(
        "<iframe id=page src=probed.html style='width:{width}px;height:900px;border:0'></iframe>\
         <script>addEventListener('load', () => {{ document.title = page.contentDocument.title }})</script>"
    );
    std::fs::write(&frame, text).unwrap();
    let profile = folder.join("profile");
    let output = process::Command::new("chromium")
        .args("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(' '))
        .args("--disable-component-update --disable-sync --allow-file-access-from-files --window-size=1400,1000".split(' '))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", frame.display()))
        .output()
        .expect("chromium");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let title = dom
        .split_once("<title>")
        .and_then(|(_, rest)| rest.split_once("</title>"));
    title
        .unwrap_or_else(|| panic!("no title in {dom}"))
        .0
        .replace("&amp;", "&")
}

#[test]
#[ignore = "needs `scripts/setup.sh chromium`"]
fn in_a_browser_nothing_overflows_and_nothing_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let html = everything(folder.path());
    for width in [360, 1200] {
        let found = probed(folder.path(), &html, width);
        assert_eq!(
            found,
            format!("{{\"width\":{width},\"out\":[],\"loaded\":[]}}")
        );
    }
}
