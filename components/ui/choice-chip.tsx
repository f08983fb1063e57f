'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { ChipButton, type ChoiceProps } from './choice-button'

const loadMenu = () => import('./choice-menu')
const ChoiceMenu = dynamic(() => loadMenu().then((module) => module.ChoiceMenu), { ssr: false })

/** A filter as a chip. Its menu is fetched when it is first pointed at, so it costs the page nothing before. */
export const ChoiceChip = (props: ChoiceProps) => {
  const [isWanted, setIsWanted] = useState(false)
  const { label, choices, chosen, isMultiple, isPlain } = props
  if (isWanted) return <ChoiceMenu {...props} />
  return (
    <ChipButton
      label={label}
      choices={choices}
      chosen={chosen}
      isMultiple={isMultiple}
      {...(isPlain === undefined ? {} : { isPlain })}
      aria-expanded={false}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setIsWanted(true)}
    />
  )
}
