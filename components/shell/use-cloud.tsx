'use client'

import { parseAsString, useQueryState } from 'nuqs'
import { createContext, type ReactNode, useContext, useMemo } from 'react'

type ChosenCloud = { cloud: string | null; setCloud: (cloud: string) => Promise<URLSearchParams> }

const Chosen = createContext<ChosenCloud | null>(null)

/** Reads the cloud once for the whole page: what uses it is drawn again when it changes, and not with every parameter. */
export const CloudScope = ({ children }: { children: ReactNode }) => {
  const [cloud, setCloud] = useQueryState('cloud', parseAsString.withOptions({ history: 'push' }))
  const chosen = useMemo(() => ({ cloud, setCloud }), [cloud, setCloud])
  return <Chosen value={chosen}>{children}</Chosen>
}

/** The cloud that the address names; null: the first by name. Goes into every query and every link. */
export const useCloud = (): ChosenCloud => {
  const chosen = useContext(Chosen)
  if (chosen === null) throw new Error('useCloud outside CloudScope')
  return chosen
}
