.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("parsnip")) register_parsnip()
  setHook(packageEvent("parsnip", "onLoad"), register_parsnip)
}

.onUnload <- function(libpath) library.dynam.unload("cavity", libpath)
