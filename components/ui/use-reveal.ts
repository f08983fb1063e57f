import { useCallback, useRef } from 'react'

/** Brings into view what a press on another part of the page has changed, once it is drawn. */
export const useReveal = (block: ScrollLogicalPosition) => {
  const target = useRef<HTMLDivElement>(null)
  const reveal = useCallback(() => {
    requestAnimationFrame(() => target.current?.scrollIntoView({ block }))
  }, [block])
  return { target, reveal }
}
