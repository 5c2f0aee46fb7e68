/** All icons. They are in three files, so that no screen loads the icons of another; `scripts/build.ts` keeps them apart. */
export type { Icon, IconProps } from './icon.tsx'
export * from './frame-icons.tsx'
export * from './run-icons.tsx'
export * from './screen-icons.tsx'
