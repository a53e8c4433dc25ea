# Generated kernels are compiled for the CPU, too, while tests run: by this command, to which they add files. What all of them
# include is compiled beforehand, which halves their time; g++ finds it in the first of the folders.
set(emulated_header cuda/support/emulated_device.hpp)
set(emulation_folder ${CMAKE_CURRENT_BINARY_DIR}/emulation)
set(emulation_command ${CMAKE_CXX_COMPILER} -std=c++20 -O1 -w -U_FORTIFY_SOURCE -fPIC -fvisibility=hidden -ffp-contract=off
  -fno-strict-aliasing -fsanitize=alignment -fsanitize-undefined-trap-on-error -I${emulation_folder}
  -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/src/kernel
  -I${PROJECT_SOURCE_DIR})
if(GPARRAY_SANITIZE)
  list(APPEND emulation_command -DGPARRAY_SWAP_CONTEXT)
endif()
list(JOIN emulation_command " " emulation_text)
target_compile_definitions(gparray_private_tests PRIVATE GPARRAY_TEST_COMPILER="${emulation_text}")

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompiled ${emulation_folder}/${emulated_header}.gch)
  get_filename_component(precompiled_folder ${precompiled} DIRECTORY)
  file(MAKE_DIRECTORY ${precompiled_folder})
  add_custom_command(OUTPUT ${precompiled}
    COMMAND ${emulation_command} -x c++-header ${CMAKE_CURRENT_SOURCE_DIR}/${emulated_header} -o ${precompiled}
      -MD -MT ${precompiled} -MF ${precompiled}.d
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${emulated_header} DEPFILE ${precompiled}.d
    COMMENT "Precompiling ${emulated_header}" VERBATIM)
  add_custom_target(gparray_emulated_header DEPENDS ${precompiled})
  add_dependencies(gparray_private_tests gparray_emulated_header)
endif()
