/** Whether an option's name says something else than its kind does. The name is the agent's, and the kind decides. Pure. */
import type { PermissionOption } from '../model/content';

const REFUSES =
  /^\P{L}*(?:(?:no|nope|not|don['’]?t|do not|never|reject\w*|den(?:y|ied)|declin\w*|refus\w*|cancel\w*|disallow\w*|forbid\w*|block\w*|abort\w*|stop|skip|nein|ablehnen|non|rechazar|rifiuta|нет|отклонить)(?!\p{L})|拒绝|拒絕|否|不|取消|拒否|キャンセル|いいえ|거부|아니)/iu;
const ALLOWS =
  /^\P{L}*(?:(?:yes|yep|ok|okay|allow\w*|accept\w*|approv\w*|always allow|always accept|always approve|proceed|continue|run|go ahead|sure|grant\w*|permit\w*|confirm\w*|trust|ja|erlauben|oui|autoriser|permitir|consenti|да|разрешить)(?!\p{L})|允许|允許|同意|接受|是|許可|はい|허용|예)/iu;

/** True for an option that allows under a name that refuses, or refuses under a name that allows. */
export function isMisnamed({ name, kind }: PermissionOption): boolean {
  return kind.startsWith('allow_') ? REFUSES.test(name) : kind.startsWith('reject_') && ALLOWS.test(name);
}
