'use client'

import { parseAsString, useQueryState } from 'nuqs'

/** The cloud that the address names; null: the first by name. Goes into every query and every link. */
export const useCloud = (): {
  cloud: string | null
  setCloud: (cloud: string) => Promise<URLSearchParams>
} => {
  const [cloud, setCloud] = useQueryState('cloud', parseAsString.withOptions({ history: 'push' }))
  return { cloud, setCloud }
}
