/** A failed download of Node.js in words. */
import { NodeNotInstalled } from '../../agent/node/nodeNotInstalled';
import { causeSentence } from '../../text/messages/causes';
import { inert, type InertText, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

const MAX_PLACE = 200;

/** Returns one sentence with the advice; undefined when the user has cancelled. */
export function nodeFailureText(error: unknown, t: Translate): InertText | undefined {
  const { reason, place, detail } = error instanceof NodeNotInstalled ? error : { reason: undefined, place: '', detail: String(error) };
  const values = { place: inertLine(place, MAX_PLACE) };
  switch (reason) {
    case 'unreachable':
      return t("Node.js couldn't be downloaded from {place}: check the network and VS Code's setting http.proxy, then retry.", values);
    case 'certificate':
      return t("The certificate of {place} isn't trusted: add your organization's to this computer, then restart VS Code.", values);
    case 'other_file':
      return t('{place} sent another file than Node.js: check the registry in your .npmrc, then retry.', values);
    case 'platform':
      return t('There is no Node.js to download for this computer: install it, then retry.');
    case 'disk_full':
      return inert(causeSentence('disk_full', {}, t));
    case 'not_writable':
      return t("{place} can't be written: correct its permissions, then retry.", values);
    case 'cancelled':
      return undefined;
    default:
      return t("Node.js couldn't be downloaded: {reason}", { reason: inertLine(detail, MAX_PLACE) });
  }
}
