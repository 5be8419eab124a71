/**
 * Recognizes the cause of a failure by its text: patterns of the output of npm, Node.js, shells, uv, pip, bun, pnpm, Docker and well-known agents.
 * The text is untrusted. Only its end is read, and no pattern takes more than a line's worth of steps per character. Extracted values (a host, a
 * package's name) are dropped unless they have the expected form. `causes.ts` has the sentences. Pure.
 */
import type { Failure } from '../../core/model/failure';
import { detailsOf, interpreterDetails, type Details } from './causeDetails';
import { causeIn, type FailureCause } from './causes';
import { evidenceIn } from './causeEvidence';

interface Rule {
  readonly cause: FailureCause;
  readonly pattern: RegExp;
}

/** The codes whose `detail` has the reason. The other codes are the reason themselves. */
const EXPLAINED = new Set(['agent.exited_at_start', 'agent.start_timeout', 'agent.exited', 'connection.closed', 'request.failed']);

/** An agent's answer that only reports the end of one of its programs. That program's stderr then has the reason. */
const PASSED_ON =
  /^\W*(?:internal error)?\W*$|\b(?:exited|terminated|died|crashed|closed unexpectedly)\b|failed to (?:start|spawn|launch)/i;

/** npm's error codes. They are enough to know the cause. */
const NPM_CODE = /^npm (?:ERR!|error) code (\w{1,60})\s*$/m;
const NPM_CAUSES: readonly (readonly [RegExp, FailureCause])[] = [
  [
    /^(?:ENOTFOUND|EAI_\w+|ETIMEDOUT|ESOCKETTIMEDOUT|ERR_SOCKET_TIMEOUT|ECONN\w+|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EADDRNOTAVAIL)$/,
    'network',
  ],
  [/^E407$/, 'proxy_sign_in'],
  [/^(?:E401|E402|E403|ENEEDAUTH|EOTP)$/, 'registry_access'],
  [/^E404$/, 'package'],
  [/^(?:ETARGET|ENOVERSIONS)$/, 'package_version'],
  [/^(?:E429|E5\d\d)$/, 'registry_unavailable'],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate_date'],
  [/CERT|^UNABLE_TO_VERIFY|^ERR_TLS/, 'certificate'],
  [/^EBADENGINE$/, 'node_version'],
  [/^EBADPLATFORM$/, 'wrong_platform'],
  [/^(?:EACCES|EPERM|EROFS)$/, 'no_write_access'],
  [/^ENOSPC$/, 'disk_full'],
  [/^EINVALID(?:PACKAGENAME|TAGNAME)$/, 'package'],
];

/** The rules in order; the first that matches counts. A cause comes before its effects (a certificate before "fetch failed"). */
const RULES: readonly Rule[] = [
  {
    cause: 'root_permissions',
    pattern: /--dangerously-skip-permissions cannot be used with root|bypass ?permissions[^\n]{0,60}\b(?:as root|root\/sudo)/i,
  },
  {
    cause: 'root',
    pattern:
      /(?:cannot|can['’]?t|must not|should not|may not|refus\w{1,4}|not (?:allowed|permitted|supported|safe)|do not|don['’]t|never)[^\n]{0,40}\b(?:run|start|execut|launch|us)\w{0,4}[^\n]{0,30} (?:as|with|under) (?:the )?["'`]?(?:root|sudo|superuser)\b|running [^\n]{0,30}as root (?:is not|isn['’]t|without)|\broot (?:user )?is not (?:allowed|supported|permitted)/i,
  },
  {
    cause: 'certificate_date',
    pattern:
      /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (?:has expired|is not yet valid)|invalid peer certificate: (?:Expired|NotValidYet)/i,
  },
  {
    cause: 'certificate',
    pattern:
      /UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID|CERT_UNTRUSTED|CERTIFICATE_VERIFY_FAILED|unable to (?:get (?:local )?issuer|verify the first) certificate|invalid peer certificate|x509: certificate|(?:error|fail\w{0,4}|reason|verify)\b[^\n]{0,120}self[- ]signed certificate|SEC_E_UNTRUSTED_ROOT|SSL certificate problem|certificate verify failed|does not match certificate['’]s altnames/i,
  },
  {
    cause: 'proxy_sign_in',
    pattern:
      /\b407\b[^\n]{0,20}(?:proxy auth|from proxy)|proxy authentication (?:is )?required|(?:tunnel|proxy|CONNECT)[^\n]{0,80}\b407\b/i,
  },
  {
    cause: 'proxy',
    pattern:
      /tunneling socket could not be established|\bProxyError\(|(?:cannot|unable to|failed to|could not) connect to (?:the )?(?:\w+ )?proxy|ERR_PROXY_CONNECTION_FAILED|proxyconnect tcp|tunnel error|proxy (?:connection|CONNECT)[^\n]{0,30}(?:refused|failed|aborted|timed out)|ERR_TUNNEL_CONNECTION_FAILED|proxy response \(5\d\d\)|could not resolve proxy/i,
  },
  {
    cause: 'docker',
    pattern:
      /cannot connect to the (?:Docker|Podman) (?:daemon|socket)|Is the docker daemon running|error during connect:[^\n]{0,200}docker/i,
  },
  {
    cause: 'node_missing',
    pattern:
      /(?:^|[\s:'"‘`/\\(])(?:node|npm|npx)(?:\.exe|\.cmd)?(?:['"’`]?: (?:(?:command )?not found|no such file)|['"’`]? is not recognized as)|\/node: bad interpreter: |\b(?:command not found|unknown command): ?(?:node|npm|npx)\b/im,
  },
  {
    cause: 'wrong_platform',
    pattern:
      /cannot execute binary file|exec format error|bad CPU type in executable|not a valid Win32 application|not compatible with the version of Windows|: \d+: .?(?:ELF|MZ)|: \d+: \uFFFD{2}|GLIBC(?:XX)?_[\d.]+['’`]? not found|Error loading shared library ld-|ld-linux\S*: No such file|wrong ELF class|incompatible architecture|Unsupported platform for /i,
  },
  {
    cause: 'program_missing',
    pattern:
      /^(?:\/\S{1,200}\/)?env: ['‘"`]?[^\n]{1,80}: No such file or directory|^(?:\/\S{1,200}\/)?\w{0,8}sh: (?:(?:line )?\d{1,6}: )?(?:exec: )?[\w.+\/-]{1,200}: (?:command )?not found|\w{0,8}sh:(?:\d{1,6}:)? (?:command not found|unknown command): |no interpreter found for python|: bad interpreter: |cannot execute: required file not found|['"][\w.+-]{1,60}['"] is not recognized as an internal or external command|exec: "[^"\n]{1,200}": executable file not found/im,
  },
  {
    cause: 'not_executable',
    pattern:
      /^(?:\/\S{1,200}\/)?\w{0,8}sh: (?:(?:line )?\d{1,6}: )?(?:exec: )?[^\n:]{1,200}: Permission denied|\w{0,8}sh:(?:\d{1,6}:)? permission denied: |^(?:\/\S{1,200}\/)?env: [^\n]{1,200}: Permission denied|\bspawn [^\n]{1,300} EACCES\b/m,
  },
  {
    cause: 'node_version',
    pattern:
      /SyntaxError: Unexpected token '(?:\?\?=|\|\|=|&&=|\?\?|with)'$|\?[.?][^\n]{0,400}\n[ ^~\t]*\n{1,2}SyntaxError: Unexpected token '[.?]'|ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module: node:|Cannot find module 'node:|requested module 'node:[\w/]{1,40}' does not provide an export|ReferenceError: (?:fetch|structuredClone|File|Blob|FormData|Headers|ReadableStream|WritableStream|TransformStream|WebSocket|CustomEvent|AbortController|DOMException|navigator) is not defined|TypeError: (?:Object\.hasOwn|Object\.groupBy|Promise\.withResolvers|Array\.fromAsync|process\.(?:loadEnvFile|getBuiltinModule)|[\w$.]{1,80}\.(?:findLast|findLastIndex|toSorted|toReversed|toSpliced|replaceAll|isWellFormed|toWellFormed|styleText|parseEnv)) is not a function|\b(?:requires?|needs?)(?: at least)? node(?:\.?js)?(?: version)?[ :]{0,2}(?:>=? ?)?v?\d|node(?:\.?js)?(?: version)? (?:>=? ?)?v?\d[\d.]{0,9}\+?(?: or (?:higher|newer|later|above|greater))? (?:is )?required|ERR_PNPM_UNSUPPORTED_ENGINE|The engine "node" is incompatible|\bnode(?:\.?js)?(?: version)? v?\d[\d.x]{0,9} (?:is )?(?:too old|not supported|unsupported|no longer supported)|unsupported node(?:\.?js)? version|upgrade (?:your )?node(?:\.?js)?\b/im,
  },
  {
    cause: 'port',
    pattern:
      /EADDRINUSE|address already in use|only one usage of each socket address|port is already allocated|\bport:? (?:\d{2,5} )?(?:is )?(?:already )?(?:in use|taken|occupied|being used)|already (?:running|listening) on port \d|os error (?:98|48|10048)\b/i,
  },
  { cause: 'disk_full', pattern: /ENOSPC|no space left on device|not enough space on the disk/i },
  {
    cause: 'credit',
    pattern:
      /credit balance (?:is )?too low|insufficient[_ -](?:quota|credits?|funds|balance)|(?:out of|no more|not enough|run out of|no remaining|exhausted your|used (?:up )?all (?:of )?your|used up your) (?:usage )?credits?\b|credits? (?:(?:is|are|has been|have been) )?(?:used up|exhausted|depleted)|requires more credits|balance is (?:insufficient|too low)|(?:exceeded|hit|reached) (?:your|the) (?:[\w'’-]{1,20} ){0,3}(?:(?:spend|spending|billing|credit) limit|shared budget)|errorKind\W{1,5}billing_error|billing_(?:hard_limit_reached|not_active)|\b402\b[^\n]{0,5}payment required|payment_required/i,
  },
  {
    cause: 'usage_limit',
    pattern:
      /usage[_ ]?limit[_ ]?(?:(?:has been|was|is) )?(?:reached|exceeded|hit)|(?:hit|reached|exceeded) (?:your|the) (?:[\w'’-]{1,20} ){0,3}(?:usage|session|\d{1,2}-hour|weekly|daily|monthly|hourly|plan|message|Opus|Sonnet|Fable) limit|(?:hit|reached|exceeded) your limit\b|(?:\d-hour|weekly|daily|monthly|session) (?:usage )?limit (?:reached|exceeded)|exceeded (?:your|the) (?:current |daily |monthly )?quota|quota (?:has been )?(?:exceeded|exhausted|reached)|exhausted your (?:\w{1,20} )?(?:quota|capacity)|out of Codex messages/i,
  },
  {
    cause: 'rate_limit',
    pattern:
      /rate[ _-]?limit(?:ed|s)?[ _-]?(?:error|exceeded|reached|hit)|(?:exceed(?:ed|s)?|hit|reached|over) (?:\S{1,40} ){0,5}rate[ -]limit|\brate[ -]limited\b|errorKind\W{1,5}rate_limit\b|\btoo many requests\b|toomanyrequests|(?:status|code|error|HTTP)["']?\W{1,4}429\b|RESOURCE_EXHAUSTED|resource (?:has been )?exhausted|ThrottlingException/i,
  },
  {
    cause: 'overloaded',
    pattern:
      /overloaded_error|\b(?:is|are|currently) (?:\w{1,20} )?overloaded\b|["':] ?overloaded\b|(?:status|code|API error|HTTP)["']?\W{1,4}(?:529|503)\b|model is (?:currently )?at capacity|server is (?:too )?busy/i,
  },
  { cause: 'sign_in', pattern: /\brun:? {1,2}[`'"]?(?:\/login|\/auth|[\w-]{1,30} (?:auth )?login)\b/i },
  {
    cause: 'api_key',
    pattern:
      /\b(?:invalid|incorrect|missing|expired|revoked|malformed|rejected|no) (?:[\w-]{1,20} ){0,2}(?:x-)?api[-_ ]?key\b(?! (?:is )?(?:needed|required|necessary))|\bapi[-_ ]?key (?:is |was )?(?:not (?:valid|set|found|provided|configured|specified)|invalid|missing|required|incorrect|expired|must be)|API_KEY_INVALID|invalid_api_key|api_key client option must be set/i,
  },
  {
    cause: 'api_key',
    pattern:
      /\b[A-Z][A-Z0-9]{1,20}_(?:[A-Z0-9]{1,20}_){0,3}(?:KEY|TOKEN)['"`]?(?: environment variable| env var)? (?:is |was )?(?:not (?:set|found|defined|provided|configured)|unset|undefined|missing|required)|(?:[Mm]issing|MISSING|[Ss]et|[Pp]rovide|[Nn]o|[Rr]equires?) (?:the |your |a |required )?(?:environment variables?:? )?[`'"]?[A-Z][A-Z0-9]{1,20}_(?:[A-Z0-9]{1,20}_){0,2}API_KEY\b/,
  },
  {
    cause: 'sign_in',
    pattern:
      /\bnot (?:logged|signed) in\b|\b(?:please|must|need to|have to) (?:first )?(?:re-?)?(?:log|sign)[ -]?in\b|\b(?:log|sign) in (?:again|first|to (?:continue|use))|\bauthentication (?:is )?required|\bnot authenticated\b|\bunauthenticated\b|authentication_error|\b(?:auth|oauth|access|refresh|session|bearer)\w{0,8}[ _-]token (?:has |is |was |could not be )?(?:expired|revoked|invalid|missing|refreshed)|token (?:has )?expired|no authentication information found|set an auth method|login required|(?:status|code|error|HTTP)["']?\W{1,4}401\b|\bunauthorized\b|\b(?:invalid|missing|no|expired|bad) (?:[\w-]{1,20} )?credentials\b|could not find (?:[\w-]{1,20} )?credentials|failed to authenticate|missing bearer/i,
  },
];

/** Messages of package managers other than npm about a registry or the network. They come after all messages that may be their cause. */
const FETCHING: readonly Rule[] = [
  {
    cause: 'registry_access',
    pattern:
      /Failed to (?:fetch|download)[^\n]{0,300}\n?[^\n]{0,300}HTTP status client error \((?:401|403)\b|\bGET https?:\/\/\S{1,300} - (?:401|403)\b|ERR_PNPM_FETCH_(?:401|403)|HTTP error (?:401|403) while getting|\b(?:401|403) Client Error: \w{1,20} for url: https?:\/\/\S{1,200}(?:simple|whl|tar\.gz)|lack of valid authentication credentials|requested access to the resource is denied|pull access denied|\b401 Error, Credentials|YN0041/i,
  },
  {
    cause: 'registry_unavailable',
    pattern:
      /Failed to (?:fetch|download)[^\n]{0,300}\n?[^\n]{0,300}HTTP status (?:client|server) error \((?:429|5\d\d)\b|\bGET https?:\/\/\S{1,300} - (?:429|5\d\d)\b|ERR_PNPM_FETCH_(?:429|5\d\d)/i,
  },
];

const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ERR_SOCKET_TIMEOUT|UND_ERR_(?:CONNECT_TIMEOUT|SOCKET)|ERR_INTERNET_DISCONNECTED|ERR_NAME_NOT_RESOLVED|getaddrinfo|could not resolve host|unable to resolve host|dns error|failed to lookup address|name or service not known|temporary failure in name resolution|no such host|nodename nor servname|network is unreachable|Failed to establish a new connection|are you offline|error sending request for url|FailedToOpenSocket|ConnectionRefused|connection timed out|connection refused/i;

const PACKAGES: readonly Rule[] = [
  {
    cause: 'package_version',
    pattern:
      /No matching version found for|No version matching|there is no version of [\w.=<>~!-]+|Could not find a version that satisfies the requirement \S{1,120} \(from versions: (?!none)|ERR_PNPM_NO_MATCHING_VERSION|manifest (?:for \S{1,200} )?(?:not found|unknown)/i,
  },
  {
    cause: 'package',
    pattern:
      /was not found in the package registry|No matching distribution found for|^npm (?:ERR!|error) 404 |\bGET https?:\/\/\S{1,300} - 404\b|ERR_PNPM_FETCH_404|HTTP status client error \(404\b|repository does not exist|No such image|Couldn['’]t find package "|npm package '[^'\n]{1,120}' does not exist|could not determine executable to run|^\S{0,200}python[\d.]{0,8}(?:\.exe)?: No module named |YN0035/im,
  },
];

/** Error codes that are the provider's HTTP status and not JSON-RPC codes (Gemini CLI). The text may be more specific. */
const STATUS_CAUSES: Readonly<Record<number, FailureCause>> = {
  401: 'sign_in',
  402: 'credit',
  403: 'sign_in',
  407: 'proxy_sign_in',
  429: 'rate_limit',
  503: 'overloaded',
  529: 'overloaded',
};

const NODE_PROGRAM = /^(?:node|npm|npx)(?:\.\w{1,4})?$/i;

/** System errors of a start, as the operating systems name them: Linux, macOS (-86, EBADARCH), Windows. */
const FORMAT_ERRORS = /\b(?:ENOEXEC|EBADARCH|EFTYPE|error -86)\b/;

/**
 * Adds the known cause to the failure's parameters (`cause`, and the details of its sentence: `host`, `package`, …).
 * @param stderr the agent's last lines, for a failure without a reason
 */
export function withCause(failure: Failure, stderr = ''): Failure {
  const { code, params = {}, detail = '' } = failure;
  if (causeIn(params) !== undefined) {
    return failure;
  }
  const known = causeOfCode(failure);
  if (known) {
    return { ...failure, params: { ...params, ...known } };
  }
  if (!EXPLAINED.has(code)) {
    return failure;
  }
  const isAnswer = code === 'request.failed';
  const found = explain(detail, !isAnswer) ?? (isAnswer && PASSED_ON.test(detail.slice(0, 400)) ? explain(stderr, true) : undefined);
  if (found !== undefined) {
    return { ...failure, params: { ...params, ...found } };
  }
  const cause =
    params['signal'] === 'SIGILL' ? 'wrong_platform' : isAnswer ? (STATUS_CAUSES[Number(params['code'])] ?? quotaCause(params)) : undefined;
  return cause === undefined ? failure : { ...failure, params: { ...params, cause } };
}

/** An error that names the reset of a quota reports that the quota is used up (RFD "Quotas and Limits"). */
function quotaCause({ code, resetsAt, retryAfter }: NonNullable<Failure['params']>): FailureCause | undefined {
  return resetsAt !== undefined || (code === QUOTA_EXCEEDED && retryAfter !== undefined) ? 'usage_limit' : undefined;
}

/** The placeholder in the RFD, which has no number yet. */
const QUOTA_EXCEEDED = -32003;

/** Returns the cause that follows from the code of a failure to start. */
function causeOfCode({ code, params = {}, detail = '' }: Failure): (Details & { readonly cause: FailureCause }) | undefined {
  const program = String(params['command'] ?? '');
  switch (code) {
    case 'agent.not_found':
      return NODE_PROGRAM.test(program) ? { cause: 'node_missing' } : undefined;
    case 'agent.not_executable':
      return { cause: 'not_executable', program };
    case 'agent.spawn_failed':
      if (FORMAT_ERRORS.test(detail)) {
        return { cause: 'wrong_platform', program };
      }
      // The program itself was found, so it is a script whose interpreter, named on the first line, is missing.
      return /\bENOENT\b/.test(detail) ? interpreterDetails(detail) : undefined;
    default:
      return undefined;
  }
}

/** Returns the cause that a text names, with the details of its sentence. */
function explain(text: string, isOutput: boolean): (Details & { readonly cause: FailureCause }) | undefined {
  const evidence = evidenceIn(text, isOutput);
  const cause = causeOf(evidence, text);
  return cause && detailsOf(cause, evidence, text);
}

function causeOf(evidence: string, text: string): FailureCause | undefined {
  const code = NPM_CODE.exec(evidence)?.[1];
  const npm = code === undefined ? undefined : NPM_CAUSES.find(([pattern]) => pattern.test(code));
  if (npm) {
    return npm[1];
  }
  const first = (rules: readonly Rule[]): FailureCause | undefined => rules.find(({ pattern }) => pattern.test(evidence))?.cause;
  return first(FETCHING) ?? first(RULES) ?? engineOf(evidence, text) ?? (NETWORK.test(evidence) ? 'network' : first(PACKAGES));
}

/** Recognizes a program that npm warned about and that then failed in the way programs fail on an unsupported Node.js. */
function engineOf(evidence: string, text: string): FailureCause | undefined {
  return /\bEBADENGINE\b|Unsupported engine/.test(text) && /^(?:Syntax|Reference|Type)Error\b|ERR_REQUIRE_ESM/m.test(evidence)
    ? 'node_version'
    : undefined;
}
