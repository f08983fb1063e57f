'use client'

import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { type Box, positionNextTo } from './position-next-to'

const OPEN_DELAY_MS = 250

/** A floating note next to `anchor` (in viewport pixels). Not focusable, and it does not intercept the pointer. */
export const FloatingNote = ({
  id,
  anchor,
  isStatus = false,
  children,
}: {
  id?: string
  anchor: Box
  /** Read out when its content changes, because nothing on the page describes itself by it. */
  isStatus?: boolean
  children: ReactNode
}) => {
  const position = (note: HTMLDivElement | null) => {
    if (note === null) return
    const { width, height } = note.getBoundingClientRect()
    const spot = positionNextTo({
      anchor,
      note: { width, height },
      viewport: { width: document.documentElement.clientWidth, height: window.innerHeight },
    })
    note.style.left = `${spot.left}px`
    note.style.top = `${spot.top}px`
  }
  return createPortal(
    <div
      ref={position}
      role={isStatus ? 'status' : 'tooltip'}
      {...(id === undefined ? {} : { id })}
      className="pointer-events-none fixed top-0 left-0 z-[70] w-max max-w-[min(320px,calc(100vw-16px))] rounded-control border border-line bg-panel px-2.5 py-1.5 text-ink text-small shadow-float print:hidden"
    >
      {children}
    </div>,
    document.body,
  )
}

type TriggerProps = {
  'aria-describedby'?: string | undefined
  onPointerEnter?: (event: PointerEvent) => void
  onPointerLeave?: () => void
  onFocus?: (event: FocusEvent) => void
  onBlur?: () => void
}

/** Explains its one child (an element that can have focus) on hover and on focus; Escape closes it. */
export const Tooltip = ({
  content,
  children,
}: {
  /** Nothing is shown when it is null. */
  content: ReactNode
  children: ReactElement<TriggerProps>
}) => {
  const id = useId()
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const [isWaiting, setIsWaiting] = useState<HTMLElement | null>(null)
  const close = () => {
    setIsWaiting(null)
    setAnchor(null)
  }
  useEffect(() => {
    if (isWaiting === null) return
    const timer = setTimeout(() => setAnchor(isWaiting.getBoundingClientRect()), OPEN_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isWaiting])
  useEffect(() => {
    if (anchor === null) return
    const closeOn = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') setAnchor(null)
    }
    window.addEventListener('keydown', closeOn)
    window.addEventListener('scroll', closeOn, { capture: true, passive: true })
    return () => {
      window.removeEventListener('keydown', closeOn)
      window.removeEventListener('scroll', closeOn, { capture: true })
    }
  }, [anchor])
  if (content === null || content === undefined || content === '') return children
  const own = children.props
  return (
    <>
      {cloneElement(children, {
        'aria-describedby': anchor === null ? own['aria-describedby'] : id,
        onPointerEnter: (event: PointerEvent) => {
          own.onPointerEnter?.(event)
          if (event.pointerType !== 'touch') setIsWaiting(event.currentTarget as HTMLElement)
        },
        onPointerLeave: () => {
          own.onPointerLeave?.()
          close()
        },
        onFocus: (event: FocusEvent) => {
          own.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible'))
            setAnchor(event.currentTarget.getBoundingClientRect())
        },
        onBlur: () => {
          own.onBlur?.()
          close()
        },
      })}
      {anchor === null ? null : (
        <FloatingNote id={id} anchor={anchor}>
          {content}
        </FloatingNote>
      )}
    </>
  )
}
