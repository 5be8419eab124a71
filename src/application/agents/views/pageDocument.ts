/** The document of the page of agents. Pure. */
import {
  attribute,
  BUNDLE_ELEMENT_ID,
  contentSecurityPolicy,
  inElement,
  type PageOptions,
  ROOT_ELEMENT_ID,
  scriptJson,
  stringsOf,
} from '../../chat/page';

export type AgentsPageOptions = Pick<
  PageOptions,
  'nonce' | 'language' | 'title' | 'cspSource' | 'scriptUri' | 'style' | 'mediaUri' | 'bundle'
>;

export function agentsPageHtml(options: AgentsPageOptions): string {
  const nonce = attribute(options.nonce);
  return `<!DOCTYPE html>
<html lang="${attribute(options.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(contentSecurityPolicy(options))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(options.title)}</title>
<style nonce="${nonce}">${inElement(options.style, 'style')}</style>
<script type="application/json" id="${BUNDLE_ELEMENT_ID}">${scriptJson(stringsOf(options.bundle))}</script>
</head>
<body>
<div id="${ROOT_ELEMENT_ID}"></div>
<script type="module" nonce="${nonce}" src="${attribute(options.scriptUri)}"></script>
</body>
</html>
`;
}
