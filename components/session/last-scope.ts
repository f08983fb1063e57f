/** Per cloud, the key of a scope: a project's id or `system`. */
const storageKey = (cloud: string): string => `sliceboard-scope:${cloud}`

/** The choice of the last sign-in to a cloud in this browser; null without one, or where the browser stores nothing. */
export const readLastScope = (cloud: string): string | null => {
  try {
    return localStorage.getItem(storageKey(cloud))
  } catch (err) {
    // Browsers that block site data throw.
    console.debug(err)
    return null
  }
}

export const rememberScope = (cloud: string, key: string): void => {
  try {
    localStorage.setItem(storageKey(cloud), key)
  } catch (err) {
    console.debug(err)
  }
}
