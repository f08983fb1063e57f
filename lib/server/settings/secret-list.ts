const MIN_LENGTH = 32

/** The secrets of SLICEBOARD_SECRET or of its file, newest first. */
export const secretsOf = (text: string): string[] => text.split(/\s+/).filter((secret) => secret !== '')

/** Why a text is no list of secrets; null where it is one. The secret itself is not repeated. */
export const whyNoSecrets = (text: string): string | null => {
  const secrets = secretsOf(text)
  return secrets.length > 0 && secrets.every((secret) => secret.length >= MIN_LENGTH)
    ? null
    : `must hold one secret of at least ${MIN_LENGTH} characters, or several separated by spaces with the newest first: "openssl rand -base64 48" creates one`
}
