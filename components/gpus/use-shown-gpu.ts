'use client'

import { parseAsString, useQueryState } from 'nuqs'
import { useCallback, useMemo, useRef } from 'react'
import { readGpus } from '@/components/change/read-gpus'

/** The pGPU in the drawer. */
export type ShownGpu = { host: string; address: string }

/** The rest of the address, without the drawer. */
const restOf = (): string => {
  const params = new URLSearchParams(window.location.search)
  params.delete('gpu')
  return params.toString()
}

/**
 * Which pGPU the drawer shows, in the address. Opening it is a step that Back undoes, and showing the next pGPU is none.
 * Closing it goes this step back, unless the list was filtered in the meantime.
 */
export const useShownGpu = () => {
  const [text, setText] = useQueryState('gpu', parseAsString)
  const openedAt = useRef<string | null>(null)
  const isOpen = text !== null
  const shown = useMemo(() => readGpus(text ?? '')[0] ?? null, [text])
  const show = useCallback(
    ({ host, address }: ShownGpu) => {
      if (!isOpen) openedAt.current = restOf()
      void setText(`${host},${address}`, { history: isOpen ? 'replace' : 'push' })
    },
    [isOpen, setText],
  )
  const close = useCallback(() => {
    const canGoBack = openedAt.current === restOf()
    openedAt.current = null
    if (canGoBack) window.history.back()
    else void setText(null)
  }, [setText])
  return { shown, show, close }
}
