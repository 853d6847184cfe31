"""Artillery: batteries and their observers, fire missions, barrages and smoke."""
