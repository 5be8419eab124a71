/** Targets of links that parsers disagree about, or that start something, and characters that are more or less than one. */
import { RUN } from './hostileTexts';

export const TARGETS = [
  '&sol;&sol;evil.example', '&bsol;&bsol;evil.example&bsol;c', 'vscode&colon;//file/etc/passwd', '%2f%2fevil.example', '%5c%5cevil.example%5cshare', 'file:%2f%2f%2fetc/passwd', 'file://evil.example%2fshare/x',
  'http:\\\\evil.example', 'https:evil.example', 'https:///evil.example', 'http://0x7f.1:22/', 'HTTPS://GOOD.EXAMPLE\u3002evil.example', 'https://user:pass@evil.example:99999/', 'https://[::1]:80/', 'https://evil.example\u2028/x', 'https://%00evil.example/',
  'mailto:a@b.example?attach=/etc/passwd&body=%0d%0aBcc:x', 'file://localhost/etc/passwd', 'file:////evil.example/share', '/\\evil.example/x', '\\/evil.example', '?command:x', './command:x', '~root/.ssh/id_rsa', '\\\\?\\C:\\x', '\\\\.\\pipe\\x', '/dev/zero',
  'con:1', 'C:/Windows:stream', 'javascript:1', 'javascript:1#' + RUN, 'javascript\uff1a' + RUN, '\u24d9avascript:' + RUN, 'javascript&#8203;:' + RUN, '&#65279;javascript:' + RUN, '&nbsp;javascript:' + RUN, 'javascript&#x0;:' + RUN, 'vscode-insiders&#58;//x', 'vscodium://x', 'cursor://x', 'windsurf:x', 'code-oss:x', 'vscode-userdata:/x', 'vscode-local:/x', 'vscode-notebook-cell:/x', 'walkThrough:x', 'extension:x', 'workbench:x', 'file+.vscode-resource.vscode-cdn.net', 'https://file+.vscode-resource.vscode-cdn.net/etc/passwd', 'http://127.0.0.1:80/x',
  'shell:startup', 'ms-officecmd:x', 'zoommtg://x', 'steam://x', 'slack://x', 'x-apple.systempreferences:', 'smb://evil.example/x', 'nfs://x', 'dav://x', 'ldap://x', 'gopher://x', 'dict://x', 'res://x', 'wyciwyg://x', 'moz-extension://x', 'ms-its:x', 'mk:@MSITStore:x', 'mhtml:http://x', 'cid:x', 'urn:x', 'geo:1,2', 'sms:1', 'facetime:x', 'itms-services://?action=download-manifest&url=https://evil.example',
];

/** Characters that join, stack, hide or turn round, and sequences that only a terminal of one's own should heed. */
export const ODD_CHARACTERS = [
  `&#x202E;evil&#8238; &rlm;&lrm;&zwj; [&#x202e;x](https://evil.example/&#x202e;gpj) \`&#x202E;\` | &#8294; |`,
  `${'\u2067'.repeat(200)}deep${'\u2069'.repeat(100)} **\u202b** \u2068*\u2069*`,
  `${'\u{1f469}\u200d\u2764\ufe0f\u200d\u{1f48b}\u200d\u{1f468}'.repeat(101)}`,
  `${'\u{1f1e6}'.repeat(1001)}${'1\ufe0f\u20e3'.repeat(99)}\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}`,
  `\ue000\uf8ff\u{f0000}\u{10fffd} \ufffe\uffff\u{1ffff}\u{10ffff} \ufdd0`,
  `\ud83d*\ude00* \ude00\ud83d **\ud83d**\ude00 [\ud83d](https://evil.example/\ude00)`,
  `${'\u00ad'.repeat(3000)}soft${'\u200b'.repeat(3000)}zero`,
  `${'Z\u0310\u0334\u0353\u0489\u0489\u0300\u0300\u0300\u0300\u0300\n\n'.repeat(60)}`,
  `${'\u0f40'}${'\u0f90'.repeat(60)} \u1000${'\u1039\u1000'.repeat(60)} ${'\u0c15\u0c4d'.repeat(60)}`,
  `${'\u1100'.repeat(100)}${'\u1161'.repeat(100)}${'\u11a8'.repeat(100)}`,
  `${'\ufdfd'.repeat(80)} ${'\u{1242b}'.repeat(50)} ${'\u2e3b'.repeat(50)} ${'\u{12031}'.repeat(30)}`,
  `\u1820\u1821\u180e\u180b \u1680\u1680 ${'\u2800'.repeat(500)} ${'\u3000'.repeat(3000)}end`,
  `${'\t'.repeat(3000)}tabs ${'\u00a0'.repeat(3000)}nbsp`,
  `\u0591\u0592 \u0300first ${'\u0300'.repeat(100)}\n# ${'\u0336'.repeat(100)}x`,
  `\x1b]8;id=a;command:x\x1b\\link\x1b]8;;\x1b\\ \x1b]52;c;?\x07 \x1b]9;4;1;50\x07 \x1b]10;?\x07\x1b]11;#ff0000\x07\x1b]4;0;red\x07`,
  `\x1b]633;E;rm -rf ~\x07\x1b]133;A\x07\x1b]50;x\x07\x1b]777;notify;a;b\x07\x1b]7;file://evil.example/\x07kept`,
  `\x1b[c\x1b[6n\x1b[5n\x1b[>q\x1bP$qm\x1b\\\x1b[14t\x1b[21t\x1b[8;1;1t\x1b[3;0;0tkept`,
  `\x1b#8\x1b[?5h\x1b[?1000h\x1b[?2004h\x1b[201~\x1bckept`,
  `\x1b_Ga=T,f=100,t=f;L2V0Yy9wYXNzd2Q=\x1b\\\x1bPq"1;1;99999;99999#0!99999~\x1b\\kept`,
  `\x1b[1;1r\x1b[?6h\x1b[?69h\x1b[2;3skept\x1b[9999999999999999999999;9999999999999999999999H!\x1b[-1;-1H`,
  `${'\x1b[8m'}invisible\x1b[0m \x1b[30;40mblack on black\x1b[0m \x1b[38;5;16;48;5;16mcube\x1b[0m\r\x1b[2Kcovered`,
];
