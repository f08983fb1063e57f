'use client'

import { X } from 'lucide-react'
import * as RadixDialog from 'radix-ui/dialog'
import { type ReactNode, useState } from 'react'
import { classNames } from '@/lib/util/class-names'
import { Button } from './button'

export const Dialog = RadixDialog.Root
export const DialogTrigger = RadixDialog.Trigger
export const DialogClose = RadixDialog.Close

export const overlay = 'fixed inset-0 z-40 bg-scrim'

type DialogContentProps = {
  title: string
  /** One sentence under the title; null leaves it out. */
  description: ReactNode
  children: ReactNode
  width?: 'normal' | 'wide'
}

/* Radix returns the focus to a DialogTrigger only; a dialog that a key or code opens has none. So the element that had
    the focus before gets it back, and a form focuses its first field instead of Close. If the opener no longer exists,
    for example after its row was deleted, the page gets the focus: else the next Tab would begin at the top. A surface
    whose page returns the focus (`isReturned` false) takes it as a whole. */
const useFocusWays = (isReturned: boolean) => {
  const [opener] = useState(() => document.activeElement)
  return {
    onOpenAutoFocus: (event: Event) => {
      const surface = event.currentTarget
      const field =
        surface instanceof Element
          ? surface.querySelector<HTMLElement>('form :is(input, select, textarea)')
          : null
      if (field === null && isReturned) return
      event.preventDefault()
      if (field === null && surface instanceof HTMLElement) surface.focus({ preventScroll: true })
      field?.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      if (!isReturned) return event.preventDefault()
      if (!(opener instanceof HTMLElement) || opener === document.body) return
      event.preventDefault()
      if (opener.isConnected) opener.focus()
      else document.getElementById('main')?.focus({ preventScroll: true })
    },
  }
}

/** The surface of all overlays; inside `RadixDialog.Portal`, so it is mounted only while it is open. */
export const DialogSurface = ({
  className,
  isDescribed,
  isFocusReturned = true,
  onInteractOutside,
  children,
}: {
  className: string
  isDescribed: boolean
  /** False: its page sets the focus when it is closed. */
  isFocusReturned?: boolean
  onInteractOutside?: (event: Event) => void
  children: ReactNode
}) => {
  const focusWays = useFocusWays(isFocusReturned)
  return (
    <RadixDialog.Content
      {...focusWays}
      {...(onInteractOutside === undefined ? {} : { onInteractOutside })}
      {...(isDescribed ? {} : { 'aria-describedby': undefined })}
      className={className}
    >
      {children}
    </RadixDialog.Content>
  )
}

const Header = ({ title, description }: Pick<DialogContentProps, 'title' | 'description'>) => (
  <div className="mb-3 flex items-start gap-3">
    <div className="min-w-0 flex-1">
      <RadixDialog.Title className="m-0 font-semibold text-lead tracking-[-0.01em]">
        {title}
      </RadixDialog.Title>
      {description === null ? null : (
        <RadixDialog.Description className="mt-0.5 text-ink2">{description}</RadixDialog.Description>
      )}
    </div>
    <RadixDialog.Close asChild>
      <Button variant="ghost" size="icon" aria-label="Close">
        <X size={15} aria-hidden />
      </Button>
    </RadixDialog.Close>
  </div>
)

/** A question or a form that must be answered first. */
export const DialogContent = ({ title, description, children, width = 'normal' }: DialogContentProps) => (
  <RadixDialog.Portal>
    <RadixDialog.Overlay className={overlay} />
    <DialogSurface
      isDescribed={description !== null}
      className={classNames(
        'float-in fixed top-[12vh] left-1/2 z-50 max-h-[80vh] w-[calc(100vw-24px)] -translate-x-1/2 overflow-y-auto rounded-panel border border-line bg-panel p-4 shadow-float',
        width === 'wide' ? 'max-w-[760px]' : 'max-w-[480px]',
      )}
    >
      <Header title={title} description={description} />
      {children}
    </DialogSurface>
  </RadixDialog.Portal>
)

/** A sheet from the left: the navigation on a narrow screen. */
export const DrawerContent = ({ title, children }: Pick<DialogContentProps, 'title' | 'children'>) => (
  <RadixDialog.Portal>
    <RadixDialog.Overlay className={overlay} />
    <DialogSurface
      isDescribed={false}
      className="fixed inset-y-0 left-0 z-50 w-[min(420px,calc(100vw-48px))] overflow-y-auto border-line border-r bg-panel p-4 shadow-float"
    >
      <Header title={title} description={null} />
      {children}
    </DialogSurface>
  </RadixDialog.Portal>
)
