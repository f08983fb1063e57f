/** The user's choice; without one the page uses the system's setting. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Kept as a cookie, so that the server draws the page in it and no script has to run before the first frame. */
export const THEME_COOKIE = 'sliceboard-theme'

export const themeOf = (text: string | undefined): Theme => THEMES.find((one) => one === text) ?? 'system'
