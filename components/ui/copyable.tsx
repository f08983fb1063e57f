'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '@/lib/util/class-names'
import { cutMiddle } from './cut-middle'
import { toast } from './toast-store'

const COPIED_MS = 1500

/** False if the browser refused; the reader gets a message then. */
const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    toast.error('The browser did not let the text be copied.', error instanceof Error ? error.message : null)
    return false
  }
}

/** Copies, and knows for a moment that it did. */
export const useCopy = () => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (text: string) => {
    if (!(await copyText(text))) return
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), COPIED_MS)
  }
  return { isCopied, copy }
}

/** A ref of a button; React calls it when the button comes and, without it, when it goes. */
const focusOnce = (button: HTMLButtonElement | null): void => button?.focus()

export const CopyButton = ({
  text,
  label,
  className,
  takesFocus = false,
}: {
  text: string
  /** What is copied: "Copy the install command". */
  label: string
  className?: string
  /** It replaces the element that had the focus. */
  takesFocus?: boolean
}) => {
  const { isCopied, copy } = useCopy()
  return (
    <button
      type="button"
      ref={takesFocus ? focusOnce : null}
      aria-label={isCopied ? 'Copied' : label}
      onClick={() => void copy(text)}
      className={classNames(
        'inline-flex size-[22px] items-center justify-center rounded-tag text-ink3 hover:bg-line2 hover:text-ink print:hidden',
        className,
      )}
    >
      {isCopied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
    </button>
  )
}

/** One line to copy: a secret, or a command that contains one. `takesFocus` if it replaces the form that created it. */
export const CopyLine = ({
  text,
  label,
  takesFocus = false,
}: {
  text: string
  label: string
  takesFocus?: boolean
}) => (
  <div className="flex items-start gap-1 rounded-control border border-line bg-bg py-2 pr-1.5 pl-3">
    <code className="min-w-0 flex-1 break-all text-small">{text}</code>
    <CopyButton text={text} label={label} takesFocus={takesFocus} />
  </div>
)

/** An id in the fixed-width face, cut in the middle, with a button that copies the whole. */
export const CopyableId = ({
  id,
  label,
  name,
  keep = 13,
}: {
  id: string
  /** What it is: "uuid of the mdev". */
  label: string
  /** The object of the id, read before the id: "mdev of render-1". */
  name?: string
  /** Most characters drawn; the rest is cut from the middle. */
  keep?: number
}) => (
  <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
    <span className="font-mono text-small" title={name === undefined ? id : `${name}: ${id}`}>
      {cutMiddle(id, keep)}
    </span>
    <CopyButton text={id} label={`Copy the ${label}`} />
  </span>
)
