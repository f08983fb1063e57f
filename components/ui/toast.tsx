'use client'

import { X } from 'lucide-react'
import * as RadixToast from 'radix-ui/toast'
import { type ComponentType, useSyncExternalStore } from 'react'
import { classNames } from '@/lib/util/class-names'
import { closeToast, noToasts, subscribeToToasts, toastList } from './toast-store'

/** Rendered once, in the root layout's providers. `Detail` renders a server's message. */
export const Toaster = ({ Detail }: { Detail: ComponentType<{ text: string }> }) => {
  const toasts = useSyncExternalStore(subscribeToToasts, toastList, noToasts)
  return (
    <RadixToast.Provider swipeDirection="right">
      {toasts.map(({ id, tone, text, detail }) => (
        <RadixToast.Root
          key={id}
          duration={tone === 'error' ? 12_000 : 5000}
          onOpenChange={(isOpen) => isOpen || closeToast(id)}
          className={classNames(
            'float-in flex items-start gap-2 rounded-panel border bg-panel px-3 py-2.5 shadow-float',
            tone === 'error' ? 'border-bad' : 'border-line',
          )}
        >
          <div className="min-w-0 flex-1">
            <RadixToast.Title className={classNames('font-[550]', tone === 'error' && 'text-bad')}>
              {text}
            </RadixToast.Title>
            {detail === null ? null : (
              <RadixToast.Description className="break-words text-ink2 text-small">
                <Detail text={detail} />
              </RadixToast.Description>
            )}
          </div>
          <RadixToast.Close aria-label="Close" className="rounded-tag p-0.5 text-ink3 hover:text-ink">
            <X size={14} aria-hidden />
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      <RadixToast.Viewport className="fixed right-4 bottom-4 z-[60] flex w-[min(360px,calc(100vw-32px))] flex-col gap-2 print:hidden" />
    </RadixToast.Provider>
  )
}
