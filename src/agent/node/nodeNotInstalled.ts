/** The failure of a download or an installation of Node.js. It reaches only the command that downloads. */

/**
 * `unreachable`: the registry or a proxy does not answer. `certificate`: it is not trusted. `other_file`: the checksum differs. `platform`: there
 * is none for this computer. `disk_full` and `not_writable`: the folder. `cancelled`: by the user.
 */
export type NodeReason = 'unreachable' | 'certificate' | 'other_file' | 'platform' | 'disk_full' | 'not_writable' | 'cancelled';

export class NodeNotInstalled extends Error {
  constructor(
    readonly reason: NodeReason,
    /** The host of the registry, or the folder. */
    readonly place = '',
    /** The text of the system or the network. */
    readonly detail = '',
  ) {
    super(`${reason} ${place} ${detail}`.trim());
    this.name = 'NodeNotInstalled';
  }
}
