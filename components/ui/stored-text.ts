/** What the browser stores under a key; null: nothing, or the browser blocks site data. */
export const readStoredText = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Null removes it. Where site data is blocked, nothing is stored. */
export const storeText = (key: string, text: string | null): void => {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    return
  }
}
