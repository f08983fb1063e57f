'use client'

import { useSyncExternalStore } from 'react'
import { connection } from '@/lib/api/connection'

/** Whether the console does not answer (lib/api/connection). */
export const useIsConnectionLost = (): boolean =>
  useSyncExternalStore(connection.subscribe, connection.isLost, connection.isLostOnServer)
