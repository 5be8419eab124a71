/** The problems of a file as a content block of a prompt, in the format of language servers, which models know. Pure. */
import type { ContentBlock } from '../../core/model/content';

/** LSP's `PublishDiagnosticsParams`, with diagnostics in LSP's shape. */
export interface Problems {
  readonly uri: string;
  readonly version: number;
  readonly diagnostics: readonly { readonly severity?: number | undefined }[];
}

/** The maximum number of problems: a broken build file can produce thousands. */
const MAX_PROBLEMS = 200;

/**
 * `embedded`: the agent accepts embedded resources (`promptCapabilities.embeddedContext`); other agents get text. Errors come first when not all
 * fit.
 */
export function problemsBlock({ uri, version, diagnostics }: Problems, embedded: boolean): ContentBlock {
  const bySeverity = diagnostics.toSorted((a, b) => (a.severity ?? 1) - (b.severity ?? 1));
  const omitted = Math.max(0, diagnostics.length - MAX_PROBLEMS);
  const kept = omitted > 0 ? bySeverity.slice(0, MAX_PROBLEMS) : diagnostics;
  const json = JSON.stringify({ uri, version, diagnostics: kept, ...(omitted > 0 && { omitted }) }, null, 2);
  return embedded
    ? { type: 'resource', uri: `${uri}#problems`, mimeType: 'application/json', text: json }
    : { type: 'text', text: `Problems of ${uri} (LSP diagnostics):\n\n\`\`\`json\n${json}\n\`\`\`` };
}
