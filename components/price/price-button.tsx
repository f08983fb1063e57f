'use client'

import { Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import type { PriceListDto, PriceVersionDto } from '@/lib/schemas/api/price'

/** Loaded when it is first opened. */
const PriceDialog = dynamic(() => import('./price-dialog').then((module) => module.PriceDialog))

/** Opens the form of a new price. `version`: the price that the form begins with; absent: of any card. */
export const PriceButton = ({ list, version }: { list: PriceListDto; version?: PriceVersionDto }) => {
  const refusal = useRefusal('price.add')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Tooltip content={refusal}>
        {version === undefined ? (
          <Button variant="main" isUnavailable={refusal !== null} onClick={() => setIsOpen(true)}>
            <Plus size={14} aria-hidden />
            Add price
          </Button>
        ) : (
          <Button
            size="small"
            aria-label={`Change price of ${version.typeName ?? version.model}`}
            isUnavailable={refusal !== null}
            onClick={() => setIsOpen(true)}
          >
            Change price
          </Button>
        )}
      </Tooltip>
      {isOpen ? <PriceDialog list={list} version={version ?? null} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}
