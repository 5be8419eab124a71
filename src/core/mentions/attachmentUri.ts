/**
 * Returns the address of a text that is not a file.
 *
 * @param file a name with an extension
 * @param name the name that the user knows the text by, see `resourceLabel`
 */
export function attachmentUri(file: string, name: string): string {
  return `attachment:/${encodeURIComponent(file)}?${encodeURIComponent(name.toWellFormed())}`;
}
