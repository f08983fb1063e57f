'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '@/lib/util/class-names'
import { cutMiddle } from './cut-middle'
import { toast } from './toast-store'

const COPIED_MS = 1500

/** False where the browser refused, which the reader has been told. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    toast.error('The browser did not let the text be copied.', error instanceof Error ? error.message : null)
    return false
  }
}

export const CopyButton = ({
  text,
  label,
  className,
}: {
  text: string
  /** What is copied: "Copy the install command". */
  label: string
  className?: string
}) => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), COPIED_MS)
  }
  return (
    <button
      type="button"
      aria-label={isCopied ? 'Copied' : label}
      onClick={() => void copy()}
      className={classNames(
        'inline-flex size-[22px] items-center justify-center rounded-tag text-ink3 hover:bg-line2 hover:text-ink print:hidden',
        className,
      )}
    >
      {isCopied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
    </button>
  )
}

/** An id in the fixed-width face, cut in the middle, with a button that copies the whole. */
export const CopyableId = ({
  id,
  label,
  keep = 13,
}: {
  id: string
  /** What it is: "uuid of the mdev". */
  label: string
  /** Most characters drawn; the rest is cut from the middle. */
  keep?: number
}) => (
  <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
    <span className="font-mono text-small" title={id}>
      {cutMiddle(id, keep)}
    </span>
    <CopyButton text={id} label={`Copy the ${label}`} />
  </span>
)
