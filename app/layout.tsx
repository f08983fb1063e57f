import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '@/components/providers'
import { BUILD_HEADER } from '@/lib/util/build-header'
import { THEME_COOKIE, themeOf } from '@/lib/util/theme'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Sliceboard', template: '%s · Sliceboard' },
  description: 'The vGPU console for OpenStack clouds',
  // Files of public/.
  manifest: '/manifest.webmanifest',
  icons: { icon: { url: '/icon.svg', type: 'image/svg+xml' }, apple: '/apple-touch-icon.png' },
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#14191c' },
  ],
}

const RootLayout = async ({ children }: { children: ReactNode }) => {
  const given = await headers()
  const nonce = given.get('x-nonce') ?? undefined
  const build = given.get(BUILD_HEADER)
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value)
  return (
    <html
      lang="en"
      {...(theme === 'system' ? {} : { 'data-theme': theme })}
      {...(build === null ? {} : { 'data-build': build })}
      suppressHydrationWarning
    >
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  )
}

export default RootLayout
