import { AgentSettingError } from './setting-error'

/** Address of the console. Throws a sentence that never repeats a password in it. */
export const parseServerUrl = (text: string): URL => {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null
  if (url === null)
    throw new AgentSettingError('The console\'s address ("server") must be like https://console.example.org.')
  if (url.username !== '' || url.password !== '')
    throw new AgentSettingError(
      'The console\'s address ("server") must not hold a user or password; the agent signs with its own credential.',
    )
  if (url.search !== '' || url.hash !== '')
    throw new AgentSettingError(`The console's address ("server") must end with its path, without ? and #.`)
  return url
}

// URL.canParse is not in every Node 18.
const parseUrl = (text: string): URL | null => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
