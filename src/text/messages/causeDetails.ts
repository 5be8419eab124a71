/** Extracts the details of a cause from a program's output: only values in the form of a host, a package, a version, a port or a program. Pure. */
import type { FailureCause } from './causes';

/** Parameters of a failure. */
export type Details = Readonly<Record<string, string | number>>;

const HOST = String.raw`(\[?[A-Za-z0-9][A-Za-z0-9.:-]{0,99})`;
/** Patterns of the host that a program wanted to reach, the most reliable first. */
const REACHED: readonly RegExp[] = [
  new RegExp(String.raw`getaddrinfo \w{1,20} ${HOST}`),
  new RegExp(String.raw`hostname: '${HOST}'`),
  new RegExp(String.raw`host='${HOST}'`),
  new RegExp(String.raw`(?:lookup|resolve host:?|resolve host name) ['"]?(?=[\w-]{1,60}\.)${HOST}`, 'i'),
  new RegExp(String.raw`(?:request to|for url \(|fetch:\W{0,10}|getting|GET|url:|URL \(.|Get) ?\W?https?:\/\/${HOST}`),
  new RegExp(String.raw`connect E[A-Z]{3,20} ${HOST}`),
];
const REGISTRY: readonly RegExp[] = [
  new RegExp(String.raw`(?:request to|for url \(|fetch:\W{0,10}|getting|GET|url:|URL \(.|Get) ?\W?https?:\/\/${HOST}`),
];
/** A request that failed before it reached its host. The program connected to the proxy instead. */
const FAILED_REQUEST = new RegExp(
  String.raw`request to (https?):\/\/${HOST}[^\n]{0,400}, reason: (?:connect|getaddrinfo) E[A-Z_]{3,20} ${HOST}`,
);
const PROXY: readonly RegExp[] = [
  FAILED_REQUEST,
  new RegExp(String.raw`(?:proxyconnect tcp: dial tcp|proxy(?: at)?) (?:https?:\/\/)?(?=[\w-]{1,60}[.:]\w)${HOST}`, 'i'),
  new RegExp(String.raw`resolve proxy:? ['"]?${HOST}`, 'i'),
];

/** Package names of npm and PyPI, with or without a version. */
const PACKAGE = String.raw`((?:@[\w.~-]{1,60}\/)?[\w][\w.~-]{0,100}(?:(?:@|==|>=|<=|~=)[\w.^~<>=*+-]{1,40})?)`;
const NAMED: readonly RegExp[] = [
  new RegExp(String.raw`No matching version found for ${PACKAGE}`),
  new RegExp(String.raw`404\s+(?:The requested resource )?'${PACKAGE}' (?:could not be found|is not in)`),
  new RegExp(String.raw`ecause (?:there is no version of )?${PACKAGE} ?(?:was not found in the package|and you require)`),
  new RegExp(
    String.raw`(?:No matching distribution found for|satisfies the requirement|No module named|manifest for|pull access denied for) '?${PACKAGE}`,
  ),
  new RegExp(String.raw`(?:for specifier|find package) "${PACKAGE}"`),
  new RegExp(String.raw`npm package '${PACKAGE}'`),
];
/** The last part of an address: `https://registry/@scope%2fname`. */
const ADDRESSED =
  /(?:GET|request to) https?:\/\/[^\s/]{1,120}\/(?:[^\s/]{1,60}\/){0,6}((?:@[\w.-]{1,60}(?:%2[fF]|\/))?[\w.-]{1,100})(?: - |: | failed|$)/m;

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[?::1\]?)(?::\d{1,5})?$/i;
const PUBLIC_REGISTRY = /^(?:registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org|files\.pythonhosted\.org)$/i;

/**
 * Returns the cause with the details for its sentence. The details may prove a more specific cause, such as a proxy that refused the connection
 * instead of a missing network.
 * @param evidence the relevant part of `text`
 */
export function detailsOf(cause: FailureCause, evidence: string, text: string): Details & { readonly cause: FailureCause } {
  switch (cause) {
    case 'network':
      return networkDetails(evidence);
    case 'proxy':
      return { cause, ...named('host', proxyOf(evidence)) };
    case 'certificate':
    case 'certificate_date':
      return { cause, ...named('host', hostOf(evidence, REACHED)), ...(usesOpenSsl(evidence) && { variable: 'SSL_CERT_FILE' }) };
    case 'registry_access':
    case 'registry_unavailable':
      return { cause, ...named('host', hostOf(evidence, REGISTRY)) };
    case 'package':
      return packageDetails(evidence);
    case 'package_version':
      return { cause, ...named('package', packageOf(evidence)) };
    case 'node_version':
      return { cause, ...nodeDetails(text) };
    case 'program_missing':
      return programDetails(evidence);
    case 'wrong_platform':
      return {
        cause,
        ...named(
          'program',
          /^(?:\w{0,8}sh: (?:line )?\d{1,6}: )?(?:[^\s:]{0,200}\/)?([\w.+-]{1,60}): (?:\d{1,6}: |cannot execute|Exec format|Bad CPU)/im.exec(
            evidence,
          )?.[1],
        ),
      };
    case 'not_executable':
      return {
        cause,
        ...named(
          'program',
          /(?:: |\bspawn |env: ['‘"`]?)(?:[^\s:'’"`]{0,200}\/)?([\w.+-]{1,60})['’"`]?(?:: Permission denied| EACCES)/.exec(evidence)?.[1],
        ),
      };
    case 'port':
      return { cause, ...portOf(evidence) };
    default:
      return { cause };
  }
}

function networkDetails(evidence: string): Details & { readonly cause: FailureCause } {
  const request = FAILED_REQUEST.exec(evidence);
  if (request) {
    const [, scheme, asked = '', reached = ''] = request;
    const [name, port = scheme === 'https' ? '443' : '80'] = asked.split(':');
    const isSame = reached === name || reached.endsWith(`:${port}`) || !/[.:]/.test(reached);
    if (!isSame) {
      return { cause: 'proxy', ...named('host', tidy(reached)) };
    }
  }
  // A program reports its own port before the address that it should connect to.
  const local = /\bconnect ECONNREFUSED (\S{1,60})/.exec(evidence)?.[1];
  const host = local !== undefined && LOOPBACK.test(local) ? local : hostOf(evidence, REACHED);
  return { cause: host !== undefined && LOOPBACK.test(host) ? 'service' : 'network', ...named('host', host) };
}

function packageDetails(evidence: string): Details & { readonly cause: FailureCause } {
  const host = hostOf(evidence, REGISTRY);
  const isPrivate = host !== undefined && !PUBLIC_REGISTRY.test(host);
  return {
    cause: isPrivate ? 'private_package' : 'package',
    ...named('package', packageOf(evidence)),
    ...(isPrivate && { host }),
  };
}

/** Returns the required version, which is the lowest of a range. */
function nodeDetails(text: string): Details {
  const end = text.slice(-16 * 1024);
  const range =
    /\b(?:required|wanted):? ?\{[^}\n]{0,80}node["']?: ?["']([^"'\n]{1,80})["']/i.exec(end)?.[1] ??
    /Expected version:? "?([^"\n]{1,80})/.exec(end)?.[1] ??
    /\b(?:requires?|needs?)(?: at least)? node(?:\.?js)?(?: version)?[ :]{0,2}([^\n,;()]{1,20})/i.exec(end)?.[1] ??
    /node(?:\.?js)?(?: version)? ((?:>=? ?)?v?\d[\d.]{0,9}\+?)(?: or (?:higher|newer|later|above|greater))? (?:is )?required/i.exec(
      end,
    )?.[1];
  const required = lowest(range ?? '');
  const nodeVersion =
    /\bcurrent:? ?\{[^}\n]{0,80}node["']?: ?["']v?(\d{1,3}(?:\.\d{1,4}){0,2})["']/i.exec(end)?.[1] ??
    /^Node\.js v(\d{1,3}\.\d{1,4}\.\d{1,4})$/m.exec(end)?.[1];
  return { ...named('required', required), ...named('nodeVersion', nodeVersion) };
}

function lowest(range: string): string | undefined {
  const versions = [...range.matchAll(/(\d{1,3})(?:\.(\d{1,4}))?(?:\.\d{1,4}|\.x)?/g)].map(
    ([, major, minor]) => [Number(major), Number(minor ?? 0)] as const,
  );
  const first = versions.sort(([a, x], [b, y]) => a - b || x - y)[0];
  return first && (first[1] === 0 ? String(first[0]) : first.join('.'));
}

function programDetails(evidence: string): Details & { readonly cause: FailureCause } {
  const program =
    /env: ['‘"`]?([\w.+-]{1,60})['’"`]?: No such file/.exec(evidence)?.[1] ??
    /: (?:exec: )?(?:[^\s:]{0,200}\/)?([\w.+-]{1,60}): (?:command )?not found/.exec(evidence)?.[1] ??
    /\/([\w.+-]{1,60}): bad interpreter: /.exec(evidence)?.[1] ??
    /(?:command not found|unknown command): ?([\w.+-]{1,60})/i.exec(evidence)?.[1] ??
    /['"]([\w.+-]{1,60})['"] is not recognized/.exec(evidence)?.[1] ??
    /exec: "(?:[^"\n]{0,150}\/)?([\w.+-]{1,60})": executable file not found/.exec(evidence)?.[1];
  return { cause: 'program_missing', ...named('needed', program) };
}

/** @param text includes a script's first line */
export function interpreterDetails(text: string): Details & { readonly cause: FailureCause } {
  const [, program = '', argument = ''] =
    /^#!\s{0,8}(?:[^\s/]{0,60}\/){1,10}([\w.+-]{1,60})(?: +(?:-S )?([\w.+-]{1,60}))?/m.exec(text) ?? [];
  const needed = program === 'env' ? argument : program;
  return /^node(?:js)?$/.test(needed) ? { cause: 'node_missing' } : { cause: 'program_missing', ...named('needed', needed) };
}

function portOf(evidence: string): Details {
  const line = /^[^\n]*(?:EADDRINUSE|already in use|only one usage|already allocated|in use)[^\n]*$/im.exec(evidence)?.[0] ?? '';
  const port = /(?:\bport:? ?|[\d\]*:.\s]:|', |on port )(\d{2,5})\b/i.exec(line)?.[1] ?? /\bport: ?(\d{2,5})\b/.exec(evidence)?.[1];
  return port !== undefined && Number(port) <= 65_535 ? { port } : {};
}

function packageOf(evidence: string): string | undefined {
  const name = NAMED.map((pattern) => pattern.exec(evidence)?.[1]).find((found) => found !== undefined);
  const found = name ?? ADDRESSED.exec(evidence)?.[1]?.replace(/%2f/i, '/');
  // npm adds `latest` or `*` to a package without a version. A full stop at the end belongs to the sentence.
  return found?.replace(/@(?:latest|\*)$/, '').replace(/[.,:]+$/, '');
}

function proxyOf(evidence: string): string | undefined {
  const [request, ...others] = PROXY.map((pattern) => pattern.exec(evidence));
  return tidy(request?.[3] ?? others.map((found) => found?.[1]).find((found) => found !== undefined));
}

function hostOf(evidence: string, patterns: readonly RegExp[]): string | undefined {
  return tidy(patterns.map((pattern) => pattern.exec(evidence)?.[1]).find((found) => found !== undefined));
}

/** Removes a full stop or colon at the end, which belongs to the sentence. */
function tidy(host: string | undefined): string | undefined {
  return host?.replace(/[.:]+$/, '');
}

function usesOpenSsl(evidence: string): boolean {
  return /x509:|^curl: |CERTIFICATE_VERIFY_FAILED|invalid peer certificate|HTTPSConnectionPool|pypi|\buv\b|\bpip\b/im.test(evidence);
}

function named(name: string, value: string | undefined): Details {
  return value === undefined || value === '' ? {} : { [name]: value };
}
