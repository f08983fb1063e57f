import { readStoredText, storeText } from '@/components/ui/stored-text'

/** Per cloud, the key of a scope: a project's id or `system`. */
const storageKey = (cloud: string): string => `sliceboard-scope:${cloud}`

/** The choice of the last sign-in to a cloud in this browser. */
export const readLastScope = (cloud: string): string | null => readStoredText(storageKey(cloud))

export const rememberScope = (cloud: string, key: string): void => storeText(storageKey(cloud), key)
