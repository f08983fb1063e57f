'use client'

import { X } from 'lucide-react'
import * as RadixDialog from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'
import { Button } from './button'
import { DialogSurface, overlay } from './dialog'

/** Next to the list, whose rows stay in use. */
const INLINE = 'sticky top-[68px] max-h-[calc(100dvh-84px)] w-[464px] flex-none rounded-panel border'
/** Over the page, all of a phone. */
const OVER = 'fixed inset-y-0 right-0 z-50 w-full border-l shadow-float sm:w-[464px]'

/**
 * Details of a row of a list: next to the list where there is space, else over it, as a modal dialog. Escape closes it.
 */
export const DetailsDrawer = ({
  title,
  above,
  actions,
  foot,
  isInline,
  isFocusReturned = false,
  onClose,
  children,
}: {
  title: ReactNode
  /** A line above the title. */
  above: ReactNode
  /** Buttons before Close. */
  actions: ReactNode
  /** Stays in sight under the content. */
  foot: ReactNode
  isInline: boolean
  /** The element that had the focus gets it back; else the list does this. */
  isFocusReturned?: boolean
  onClose: () => void
  children: ReactNode
}) => {
  const surface = (
    <DialogSurface
      isDescribed={false}
      isFocusReturned={isFocusReturned}
      {...(isInline ? { onInteractOutside: (event: Event) => event.preventDefault() } : {})}
      className={classNames(
        'flex flex-col overflow-hidden border-line bg-panel outline-none print:hidden',
        isInline ? INLINE : OVER,
      )}
    >
      <div className="flex items-start gap-2 px-3.5 pt-3 pb-2">
        <div className="min-w-0 flex-1">
          <p className="break-words text-ink2">{above}</p>
          <RadixDialog.Title className="m-0 font-semibold text-lead tracking-[-0.01em]">
            {title}
          </RadixDialog.Title>
        </div>
        {actions}
        <RadixDialog.Close asChild>
          <Button variant="ghost" size="icon" aria-label="Close">
            <X size={15} aria-hidden />
          </Button>
        </RadixDialog.Close>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-3.5 pb-3.5">{children}</div>
      <div className="flex flex-wrap items-center gap-2 border-line border-t px-3.5 py-2.5 empty:hidden">
        {foot}
      </div>
    </DialogSurface>
  )
  return (
    <RadixDialog.Root open modal={!isInline} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      {isInline ? (
        surface
      ) : (
        <RadixDialog.Portal>
          <RadixDialog.Overlay className={overlay} />
          {surface}
        </RadixDialog.Portal>
      )}
    </RadixDialog.Root>
  )
}
