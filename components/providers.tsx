'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import dynamic from 'next/dynamic'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { TimedDetail } from '@/components/shell/timed-text'
import { CloudScope } from '@/components/shell/use-cloud'
import { noToasts, subscribeToToasts, toastList } from '@/components/ui/toast-store'
import { createQueryClient } from '@/lib/api/query-client'

const Toaster = dynamic(() => import('@/components/ui/toast').then((module) => module.Toaster), {
  ssr: false,
})

/** The toaster's code is fetched with the first toast. */
const LazyToaster = () => {
  const hasToasts = useSyncExternalStore(subscribeToToasts, toastList, noToasts).length > 0
  const [wasNeeded, setWasNeeded] = useState(false)
  if (hasToasts && !wasNeeded) setWasNeeded(true)
  return wasNeeded ? <Toaster Detail={TimedDetail} /> : null
}

/** `nonce`: of the page's content security policy; styles that a dialog writes carry it too. */
export const Providers = ({ nonce, children }: { nonce: string | undefined; children: ReactNode }) => {
  const [queryClient] = useState(createQueryClient)
  if (nonce !== undefined) setNonce(nonce)
  return (
    <NuqsAdapter>
      <QueryClientProvider client={queryClient}>
        <CloudScope>
          {children}
          <LazyToaster />
        </CloudScope>
      </QueryClientProvider>
    </NuqsAdapter>
  )
}
