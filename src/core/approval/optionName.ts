/** Checks whether an option's name contradicts its kind. The agent chooses the name, but the kind decides. Pure. */
import type { PermissionOption } from '../model/content';

const REFUSES =
  /^\P{L}*(?:(?:no|nope|not|don['’]?t|do not|never|reject\w*|den(?:y|ied)|declin\w*|refus\w*|cancel\w*|disallow\w*|forbid\w*|block\w*|abort\w*|stop|skip|nein|ablehnen|non|rechazar|rifiuta|нет|отклонить)(?!\p{L})|拒绝|拒絕|否|不|取消|拒否|キャンセル|いいえ|거부|아니)/iu;
const ALLOWS =
  /^\P{L}*(?:(?:yes|yep|ok|okay|allow\w*|accept\w*|approv\w*|always allow|always accept|always approve|proceed|continue|run|go ahead|sure|grant\w*|permit\w*|confirm\w*|trust|ja|erlauben|oui|autoriser|permitir|consenti|да|разрешить)(?!\p{L})|允许|允許|同意|接受|是|許可|はい|허용|예)/iu;

/** True for an option that allows under a name that refuses, or refuses under a name that allows. */
export function isMisnamed({ name, kind }: PermissionOption): boolean {
  return kind.startsWith('allow_') ? REFUSES.test(name) : kind.startsWith('reject_') && ALLOWS.test(name);
}

/** Words of a name that covers more than one request. */
const LASTING = /\b(?:always|all|any|every\w*|never|ever|session|project|workspace|future|again|until|from now on)\b/i;
const SAYS: Readonly<Record<string, { readonly verb: RegExp; readonly lasts: boolean }>> = {
  allow_once: { verb: /^\P{L}*(?:allow|accept|approve|permit|grant)\b/iu, lasts: false },
  reject_once: { verb: /^\P{L}*(?:reject|deny|decline|refuse|disallow)\b/iu, lasts: false },
  allow_always: {
    verb: /^\P{L}*(?:always\s+(?:allow|accept|approve|permit|grant)|(?:allow|accept|approve|permit|grant)\s+always)\b/iu,
    lasts: true,
  },
  reject_always: {
    verb: /^\P{L}*(?:always\s+(?:reject|deny|decline|refuse)|(?:reject|deny|decline|refuse)\s+always|never\s+allow)\b/iu,
    lasts: true,
  },
};

/** True for an option whose (English) name has the meaning of its kind, so that the kind need not be shown beside it. */
export function saysKind({ name, kind }: PermissionOption): boolean {
  const said = Object.hasOwn(SAYS, kind) ? SAYS[kind] : undefined;
  return said !== undefined && said.verb.test(name) && LASTING.test(name) === said.lasts;
}
